# Lines "value TAB message" of one option: values of which the same is said, and that with VALUE for the value.
BEGIN { FS = "\t" }
{
    said = $2
    at = $1 == "" ? 0 : index(said, $1)
    if (at) said = substr(said, 1, at - 1) "VALUE" substr(said, at + length($1))
    sub(/--[a-z-]+ '':/, "--" option " VALUE:", said)
    sub(/''/, "'VALUE'", said)
    if (NR > 1 && said != last) {
        print option values ": " last
        values = ""
    }
    values = values " [" $1 "]"
    last = said
}
END { print option values ": " last }
