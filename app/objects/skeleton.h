/* skeleton.h - the file with which an object's author begins. */
#ifndef PLUMB_APP_OBJECTS_SKELETON_H
#define PLUMB_APP_OBJECTS_SKELETON_H

/* Its text, behind the line that names it. */
extern const char objects_skeleton_in_c[], objects_skeleton_in_cxx[];

#endif
