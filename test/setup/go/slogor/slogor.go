// Package slogor stands in for the handler of lego's colored log, which the server does not use.
package slogor

import (
	"io"
	"log/slog"
)

type OptionFn func(*slog.HandlerOptions)

func SetLevel(level slog.Leveler) OptionFn {
	return func(options *slog.HandlerOptions) { options.Level = level }
}

func SetTimeFormat(string) OptionFn { return func(*slog.HandlerOptions) {} }

func DisableColor() OptionFn { return func(*slog.HandlerOptions) {} }

func NewHandler(out io.Writer, options ...OptionFn) slog.Handler {
	made := &slog.HandlerOptions{}
	for _, option := range options {
		option(made)
	}
	return slog.NewTextHandler(out, made)
}
