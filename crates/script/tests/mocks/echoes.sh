# Prints the line that it reads as a dump, then its arguments as a message.
read -r line
printf '===\n%s\n===\n* %s\n' "$line" "$*"
cat >/dev/null
