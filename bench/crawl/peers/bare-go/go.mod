module bare-go

go 1.23.0

require golang.org/x/net v0.38.0
