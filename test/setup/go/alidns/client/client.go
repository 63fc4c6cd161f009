// Package client calls the four actions of Alibaba Cloud DNS that lego uses. The generated library with all actions is
// not in the Go module proxy; the one below it, which signs and sends the requests, is.
package client

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	openapi "github.com/alibabacloud-go/darabonba-openapi/v2/client"
	"github.com/alibabacloud-go/tea/dara"
)

type Client struct{ *openapi.Client }

func NewClient(config *openapi.Config) (*Client, error) {
	made, err := openapi.NewClient(config)
	if err != nil {
		return nil, err
	}
	if dara.StringValue(made.Endpoint) == "" {
		made.Endpoint = dara.String(fmt.Sprintf("alidns.%s.aliyuncs.com", dara.StringValue(made.RegionId)))
	}
	return &Client{made}, nil
}

func call[Body any](ctx context.Context, client *Client, action string, query map[string]*string, runtime *dara.RuntimeOptions) (*Body, error) {
	params := &openapi.Params{
		Action: dara.String(action), Version: dara.String("2015-01-09"), Protocol: dara.String("HTTPS"),
		Pathname: dara.String("/"), Method: dara.String("POST"), AuthType: dara.String("AK"),
		Style: dara.String("RPC"), ReqBodyType: dara.String("formData"), BodyType: dara.String("json"),
	}
	result, err := client.CallApiWithCtx(ctx, params, &openapi.OpenApiRequest{Query: query}, runtime)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(result["body"])
	if err != nil {
		return nil, err
	}
	body := new(Body)
	return body, json.Unmarshal(text, body)
}

func number(value int64) *string { return dara.String(strconv.FormatInt(value, 10)) }

type DescribeDomainsRequest struct{ page int64 }

func (r *DescribeDomainsRequest) SetPageNumber(page int64) *DescribeDomainsRequest {
	r.page = page
	return r
}

type DescribeDomainsResponseBodyDomainsDomain struct{ DomainId, DomainName, PunyCode *string }

type DescribeDomainsResponseBodyDomains struct {
	Domain []*DescribeDomainsResponseBodyDomainsDomain
}

type DescribeDomainsResponseBody struct {
	PageNumber, PageSize, TotalCount *int64
	Domains                          *DescribeDomainsResponseBodyDomains
}

type DescribeDomainsResponse struct{ Body *DescribeDomainsResponseBody }

func DescribeDomainsWithContext(ctx context.Context, client *Client, request *DescribeDomainsRequest, runtime *dara.RuntimeOptions) (*DescribeDomainsResponse, error) {
	query := map[string]*string{"PageNumber": number(request.page)}
	body, err := call[DescribeDomainsResponseBody](ctx, client, "DescribeDomains", query, runtime)
	return &DescribeDomainsResponse{body}, err
}

type AddDomainRecordRequest struct{ query map[string]*string }

func (r *AddDomainRecordRequest) set(name string, value *string) *AddDomainRecordRequest {
	if r.query == nil {
		r.query = map[string]*string{}
	}
	r.query[name] = value
	return r
}

func (r *AddDomainRecordRequest) SetType(value string) *AddDomainRecordRequest {
	return r.set("Type", dara.String(value))
}

func (r *AddDomainRecordRequest) SetDomainName(value string) *AddDomainRecordRequest {
	return r.set("DomainName", dara.String(value))
}

func (r *AddDomainRecordRequest) SetRR(value string) *AddDomainRecordRequest {
	return r.set("RR", dara.String(value))
}

func (r *AddDomainRecordRequest) SetValue(value string) *AddDomainRecordRequest {
	return r.set("Value", dara.String(value))
}

func (r *AddDomainRecordRequest) SetTTL(value int64) *AddDomainRecordRequest {
	return r.set("TTL", number(value))
}

func (r *AddDomainRecordRequest) SetLine(value string) *AddDomainRecordRequest {
	return r.set("Line", dara.String(value))
}

type AddDomainRecordResponse struct{ Body *struct{ RecordId *string } }

func AddDomainRecordWithContext(ctx context.Context, client *Client, request *AddDomainRecordRequest, runtime *dara.RuntimeOptions) (*AddDomainRecordResponse, error) {
	body, err := call[struct{ RecordId *string }](ctx, client, "AddDomainRecord", request.query, runtime)
	return &AddDomainRecordResponse{body}, err
}

type DeleteDomainRecordRequest struct{ RecordId *string }

type DeleteDomainRecordResponse struct{}

func DeleteDomainRecordWithContext(ctx context.Context, client *Client, request *DeleteDomainRecordRequest, runtime *dara.RuntimeOptions) (*DeleteDomainRecordResponse, error) {
	query := map[string]*string{"RecordId": request.RecordId}
	_, err := call[struct{}](ctx, client, "DeleteDomainRecord", query, runtime)
	return &DeleteDomainRecordResponse{}, err
}

type DescribeDomainRecordsRequest struct{ query map[string]*string }

func (r *DescribeDomainRecordsRequest) SetDomainName(value string) *DescribeDomainRecordsRequest {
	r.query = map[string]*string{"DomainName": dara.String(value)}
	return r
}

func (r *DescribeDomainRecordsRequest) SetPageSize(value int64) *DescribeDomainRecordsRequest {
	r.query["PageSize"] = number(value)
	return r
}

type DescribeDomainRecordsResponseBodyDomainRecordsRecord struct{ RecordId, RR, Type, Value *string }

type DescribeDomainRecordsResponseBody struct {
	DomainRecords *struct {
		Record []*DescribeDomainRecordsResponseBodyDomainRecordsRecord
	}
}

type DescribeDomainRecordsResponse struct {
	Body *DescribeDomainRecordsResponseBody
}

func DescribeDomainRecordsWithContext(ctx context.Context, client *Client, request *DescribeDomainRecordsRequest, runtime *dara.RuntimeOptions) (*DescribeDomainRecordsResponse, error) {
	body, err := call[DescribeDomainRecordsResponseBody](ctx, client, "DescribeDomainRecords", request.query, runtime)
	return &DescribeDomainRecordsResponse{body}, err
}
