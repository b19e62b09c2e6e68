package ollama

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"

	"github.com/ollama/ollama/api"

	"lightbox/infer"
)

// errReply marks a reply that is not what the server sends.
var errReply = errors.New("not a reply of Ollama")

// faultOf tells what went wrong in an exchange that gave err, or that gave none
// and was not read to its end.
func faultOf(x *exchange, err error) *infer.Fault {
	if err == nil {
		err = errReply
	}
	var status api.StatusError
	var auth api.AuthorizationError
	f := &infer.Fault{Reason: infer.ReasonReply, Status: x.status, Detail: shorten(rootText(err)), Err: err}
	switch {
	case errors.Is(err, errRedirect), errors.Is(err, errElsewhere), errors.Is(err, errSigned):
		f.Reason = infer.ReasonRemote
	case errors.Is(x.end, errTooLarge):
		f.Detail = x.end.Error()
	case x.status == 0 && isLost(err):
		f.Reason, f.Retry = infer.ReasonConnection, true
	case x.cut(), x.read.bytes > 0 && isHalf(err):
		f.Reason, f.Detail, f.Retry = infer.ReasonConnection, "the reply is cut off", true
	case errors.As(err, &auth):
		f.Reason, f.Detail = infer.ReasonServer, "the server asks to sign in"
	case errors.As(err, &status):
		return said(x.status, status.ErrorMessage)
	case x.read.bytes == 0 && x.status != 0:
		f.Detail = "the reply is empty"
	}
	return f
}

// isLost tells whether a connection could not be made, or ended before a reply.
func isLost(err error) bool {
	var network net.Error
	var errno syscall.Errno
	return errors.As(err, &errno) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.As(err, &network) && network.Timeout() ||
		strings.Contains(err.Error(), "server closed idle connection") // net/http does not export it
}

// isHalf tells whether a body is JSON without its end, which a connection that
// is closed early leaves where nothing says how long the body is.
func isHalf(err error) bool {
	var syntax *json.SyntaxError
	return errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input"
}

// rootText leaves out the method and URL that net/http puts before an error.
func rootText(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err.Error()
	}
	return err.Error()
}
