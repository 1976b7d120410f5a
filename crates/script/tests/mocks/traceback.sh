# Ends as a Python program does after an exception, with an escape sequence in the message.
echo 'Traceback (most recent call last):' >&2
printf "NameError: name 'x' is not defined\\033[0m\n" >&2
exit 1
