# Prints its whole input as a dump, with `\n` for a newline.
text=$(cat; echo x)
printf '===\n'
printf '%s' "${text%x}" | sed -z 's/\n/\\n/g'
printf '\n===\n'
