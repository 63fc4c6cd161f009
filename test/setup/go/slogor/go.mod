module gitlab.com/greyxor/slogor

go 1.26
