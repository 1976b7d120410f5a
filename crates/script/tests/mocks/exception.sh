echo 'Exception in thread "main" java.lang.NullPointerException' >&2
sleep 0.05
printf '\tat loa.Main.main(Main.java:10)\nCaused by: java.lang.Error\n\t... 1 more\n' >&2
sleep 60
