// SPDX-License-Identifier: Apache-2.0
// Where the telemetry page lies and how its file comes to be: the folder, the file that is there
// only when it is whole, and the removal of what dead processes left. For agent.c alone.
// Next: page_file.c.
#pragma once

#include "agent/agent.h"
#include "agent/page_layout.h"

enum { GPUSIGHT_PATH_SIZE = 512 };

// Makes and maps the page of this process, all zero but for its header. `path` takes
// GPUSIGHT_PATH_SIZE bytes.
enum gpusight_status gpusight_page_create(const char* writer, struct gpusight_page** page,
                                          char* path);

// Nanoseconds since 1970.
uint64_t gpusight_now(void);

// Copies a text into a field, cut at a character's boundary, and fills the field with zeros.
void gpusight_copy_text(char* to, size_t size, const char* from);
