echo 'Exception in thread "main" java.lang.NullPointerException' >&2
sleep 60
