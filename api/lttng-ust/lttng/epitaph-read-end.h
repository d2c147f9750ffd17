/* SPDX-License-Identifier: BSD-2-Clause */
/* Behind each reading of a header of tracepoints: the next one makes other things of fields and events. */
#undef ctf_integer
#undef ctf_integer_hex
#undef ctf_integer_network
#undef ctf_integer_network_hex
#undef ctf_float
#undef ctf_string
#undef ctf_array
#undef ctf_array_text
#undef ctf_sequence
#undef ctf_sequence_text
#undef EPITAPH_UST_CLASS
#undef EPITAPH_UST_INSTANCE
