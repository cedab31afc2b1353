/* skeleton.h - the file with which an object's author begins. */
#ifndef PLUMB_CLI_SKELETON_H
#define PLUMB_CLI_SKELETON_H

/* Its text, behind the line that names it. */
extern const char skeleton_in_c[], skeleton_in_cxx[];

#endif
