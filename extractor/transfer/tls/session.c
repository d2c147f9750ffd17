// SPDX-License-Identifier: GPL-2.0-or-later
#include "session.h"

#include <gnutls/x509.h>
#include <string.h>

#define HANDSHAKE_MS	10000
#define PRIORITY	"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

static int fail(struct err *err, const char *what, int ret)
{
	return err_set(err, ERR_IO, ERR_NO_OFF, "%s: %s", what, gnutls_strerror(ret));
}

static int load(gnutls_certificate_credentials_t creds, const struct session_files *f,
		bool is_client, struct err *err)
{
	int ret = 0;

	if (f->ca)
		ret = gnutls_certificate_set_x509_trust_file(creds, f->ca, GNUTLS_X509_FMT_PEM);
	else if (is_client && !f->pin)
		ret = gnutls_certificate_set_x509_system_trust(creds);
	if (ret < 0)
		return fail(err, f->ca ? f->ca : "the system's CAs", ret);
	if (f->ca && !ret)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: no certificate in it", f->ca);
	if (f->cert)
		ret = gnutls_certificate_set_x509_key_file(creds, f->cert, f->cert_key,
							   GNUTLS_X509_FMT_PEM);
	return ret < 0 ? fail(err, f->cert, ret) : 0;
}

static int open_session(gnutls_session_t *session, const struct session_files *f, int fd,
			bool is_client, struct err *err)
{
	gnutls_certificate_credentials_t creds;
	int ret = gnutls_certificate_allocate_credentials(&creds);

	if (ret < 0)
		return fail(err, "TLS", ret);
	ret = load(creds, f, is_client, err);
	if (ret)
		return ret;
	ret = gnutls_init(session, is_client ? GNUTLS_CLIENT : GNUTLS_SERVER);
	if (!ret)
		ret = gnutls_priority_set_direct(*session, PRIORITY, NULL);
	if (!ret)
		ret = gnutls_credentials_set(*session, GNUTLS_CRD_CERTIFICATE, creds);
	if (ret < 0)
		return fail(err, "TLS", ret);
	gnutls_transport_set_int(*session, fd);
	gnutls_handshake_set_timeout(*session, HANDSHAKE_MS);
	return 0;
}

/* Why a certificate is none for us. */
static int tell_status(gnutls_session_t session, unsigned int status, struct err *err)
{
	gnutls_datum_t words = { NULL, 0 };
	int ret;

	gnutls_certificate_verification_status_print(status, gnutls_certificate_type_get(session),
						     &words, 0);
	ret = err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the certificate of the other side: %s",
		      words.data ? (const char *)words.data : "it is not valid");
	gnutls_free(words.data);
	return ret;
}

/* One that names purposes is for these alone. */
static gnutls_typed_vdata_st purpose(const char *oid)
{
	return (gnutls_typed_vdata_st){ .type = GNUTLS_DT_KEY_PURPOSE_OID, .data = (unsigned char *)oid };
}

/* @host: whose certificate it must be; it is looked at as long as @wanted lives. */
static void want_collector(gnutls_session_t session, const char *host, gnutls_typed_vdata_st wanted[2])
{
	wanted[0] = (gnutls_typed_vdata_st){ .type = GNUTLS_DT_DNS_HOSTNAME, .data = (unsigned char *)host };
	wanted[1] = purpose(GNUTLS_KP_TLS_WWW_SERVER);
	gnutls_session_set_verify_cert2(session, wanted, 2, 0);
}

static int handshake(gnutls_session_t session, struct err *err)
{
	int ret;

	do {
		ret = gnutls_handshake(session);
	} while (ret < 0 && !gnutls_error_is_fatal(ret));
	if (ret == GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR)
		return tell_status(session, gnutls_session_get_verify_cert_status(session), err);
	return ret < 0 ? fail(err, "TLS", ret) : 0;
}

static int check_pin(gnutls_session_t session, const char *pin, struct err *err)
{
	unsigned int nr;
	const gnutls_datum_t *certs = gnutls_certificate_get_peers(session, &nr);
	char text[DIGEST_TEXT];

	if (!certs || !nr)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the other side has no certificate");
	digest_text(text, certs[0].data, certs[0].size);
	if (strcmp(text, pin))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "the other side's certificate has another fingerprint: %s", text);
	return 0;
}

int session_connect(gnutls_session_t *session, const struct session_files *files, int fd,
		    const char *host, struct err *err)
{
	int ret = open_session(session, files, fd, true, err);
	gnutls_typed_vdata_st wanted[2];

	if (ret)
		return ret;
	gnutls_server_name_set(*session, GNUTLS_NAME_DNS, host, strlen(host));
	if (!files->pin)
		want_collector(*session, host, wanted);
	ret = handshake(*session, err);
	return !ret && files->pin ? check_pin(*session, files->pin, err) : ret;
}

/* The first DNS name, else the common name, and its length: there may be a zero in it. */
static int read_name(gnutls_x509_crt_t cert, char *name, size_t size, size_t *ret_length)
{
	unsigned int i = 0;
	int ret;

	do {
		*ret_length = size;
		ret = gnutls_x509_crt_get_subject_alt_name(cert, i++, name, ret_length, NULL);
	} while (ret >= 0 && ret != GNUTLS_SAN_DNSNAME);
	if (ret != GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE)
		return ret;
	*ret_length = size;
	return gnutls_x509_crt_get_dn_by_oid(cert, GNUTLS_OID_X520_COMMON_NAME, 0, 0, name,
					     ret_length);
}

static int name_peer(gnutls_session_t session, char peer[MANIFEST_HOST], struct err *err)
{
	unsigned int nr;
	const gnutls_datum_t *certs = gnutls_certificate_get_peers(session, &nr);
	gnutls_x509_crt_t cert;
	int ret = gnutls_x509_crt_init(&cert);
	char name[1024] = "";
	size_t length;

	if (!certs || !nr || ret < 0)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the other side has no certificate");
	ret = gnutls_x509_crt_import(cert, &certs[0], GNUTLS_X509_FMT_DER);
	if (!ret)
		ret = read_name(cert, name, sizeof(name), &length);
	gnutls_x509_crt_deinit(cert);
	if (ret < 0)
		return fail(err, "the name in the other side's certificate", ret);
	if (strlen(name) != length || !manifest_is_plain(name, MANIFEST_HOST))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "the other side's certificate names no host: %s", name);
	strcpy(peer, name);
	return 0;
}

int session_accept(gnutls_session_t *session, const struct session_files *files, int fd,
		   char peer[MANIFEST_HOST], struct err *err)
{
	gnutls_typed_vdata_st wanted = purpose(GNUTLS_KP_TLS_WWW_CLIENT);
	unsigned int status;
	int ret = open_session(session, files, fd, false, err);

	*peer = 0;
	if (ret)
		return ret;
	if (files->ca)
		gnutls_certificate_server_set_request(*session, GNUTLS_CERT_REQUIRE);
	ret = handshake(*session, err);
	if (ret || !files->ca)
		return ret;
	ret = gnutls_certificate_verify_peers(*session, &wanted, 1, &status);
	if (ret < 0)
		return fail(err, "the certificate of the other side", ret);
	return status ? tell_status(*session, status, err) : name_peer(*session, peer, err);
}
