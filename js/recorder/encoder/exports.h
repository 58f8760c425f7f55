/* SPDX-License-Identifier: Apache-2.0 */
/* What JavaScript calls of the record format `warpo`: the encoder of lib/Recorder, as a module that
 * works in the memory in which recorder.wat.in leaves events. Each file exports functions about one
 * thing. */
#ifndef WARPO_JS_ENCODER_EXPORTS_H
#define WARPO_JS_ENCODER_EXPORTS_H

#define EXPORT(name) __attribute__((export_name(#name)))

#endif
