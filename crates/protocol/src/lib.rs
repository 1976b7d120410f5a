//! The courses' text programs as line machines without input or output.
