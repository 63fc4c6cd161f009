module github.com/go-acme/alidns-20150109/v5

go 1.26

require (
	github.com/alibabacloud-go/darabonba-openapi/v2 v2.2.4
	github.com/alibabacloud-go/tea v1.5.3
)
