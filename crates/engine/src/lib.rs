//! What a player knows of each game beyond its rules.
