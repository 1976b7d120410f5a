exec >&- 2>&-
sleep 60
