/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that JavaScript calls to write the format `warpo`: the encoder of lib/Recorder as a
 * module that uses the memory in which recorder.wat.in stores events. Each file exports functions
 * about one subject. */
#ifndef WARPO_JS_ENCODER_EXPORTS_H
#define WARPO_JS_ENCODER_EXPORTS_H

#define EXPORT(name) __attribute__((export_name(#name)))

#endif
