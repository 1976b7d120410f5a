# Prints a dump for its first line, without a newline at the end, and exits.
read -r x
printf '===\n    b - w\n==='
