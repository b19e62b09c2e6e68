package bench

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/record"
	"lightbox/infer/ollama/fake"
	"lightbox/score/report"
)

// TestSealedSectionSaysWhatIsKnown reads the section of the report back from a
// run's record alone.
func TestSealedSectionSaysWhatIsKnown(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems do not show who listens on a port")
	}
	for _, tt := range []struct {
		name   string
		config fake.Config
		hidden bool
		want   [][2]string
		warns  string
	}{
		{"private server", fake.Config{}, true, [][2]string{
			{"contacted", "127.0.0.1, and nothing else"},
			{"cloud switched off", "yes"},
			{"server reachable from", "this machine"},
			{"request logging", "off"},
		}, ""},
		{"open to all", fake.Config{Address: "0.0.0.0:0", CloudEnabled: true}, true, [][2]string{
			{"contacted", "127.0.0.1, and nothing else"},
			{"cloud switched off", "no"},
			{"server reachable from", "other machines too"},
			{"request logging", "off"},
		}, "from other machines"},
		{"too old to say", fake.Config{NoStatus: true}, true, [][2]string{
			{"contacted", "127.0.0.1, and nothing else"},
			{"cloud switched off", "unknown"},
			{"server reachable from", "this machine"},
			{"request logging", "off"},
			{"not verified", "whether the server can forward requests"},
		}, "forward requests"},
		{"the user's own server", fake.Config{}, false, [][2]string{
			{"contacted", "ADDRESS, and nothing else"},
			{"cloud switched off", "yes"},
			{"server reachable from", "this machine"},
			{"request logging", "off"},
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, cfg := play(t, 2, tt.config)
			cfg.HostHidden = tt.hidden
			result, err := Run(context.Background(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			got := sectionOf(t, result.Report, "sealed")
			for i := range got {
				got[i][1] = strings.NewReplacer(s.Addr(), "ADDRESS", "::1", "127.0.0.1").Replace(got[i][1])
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("sealed (-want +got):\n%s", d)
			}
			warned := false
			for _, n := range result.Report.Notes {
				warned = warned || tt.warns != "" && n.Level == report.Warning && strings.Contains(n.Text, tt.warns)
			}
			if warned != (tt.warns != "") {
				t.Errorf("notes %+v, want a warning of %q", result.Report.Notes, tt.warns)
			}
		})
	}
}

// TestSealedSectionOfWhatIsNotKnown is about servers of other users, on other
// systems and on other machines, and about records that do not say.
func TestSealedSectionOfWhatIsNotKnown(t *testing.T) {
	all := "whether the server can forward requests, who else can reach it, whether it writes requests to files"
	for _, tt := range []struct {
		name   string
		server record.Server
		want   string // what is not verified
	}{
		{"nothing is known", record.Server{CloudDisabled: "unknown", Reachable: record.ReachUnknown, Logging: "unknown"}, all},
		{"another user's", record.Server{CloudDisabled: "yes", Reachable: record.ReachMachine, Logging: "unknown"}, "whether it writes requests to files"},
		{"an older record", record.Server{Address: "127.0.0.1:11434"}, all},
		{"all is known", record.Server{CloudDisabled: "no", Reachable: record.ReachOthers, Logging: "on"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rows := sealed(tt.server)
			if got := rows[len(rows)-1]; got != tt.want {
				t.Errorf("not verified: %q, want %q", got, tt.want)
			}
		})
	}
}

// TestAResumedRunMayFindAnotherSurrounding goes on with a run whose server was
// started anew, for all machines.
func TestAResumedRunMayFindAnotherSurrounding(t *testing.T) {
	var s *fake.Server
	s, cfg := play(t, 3, fake.Config{Script: on(2, func(int) fake.Reply { s.Close(); return fake.Cut() })})
	if _, err := Run(context.Background(), cfg); err == nil {
		t.Fatal("the run ended well")
	}
	_, port, _ := strings.Cut(s.Addr(), ":")
	open := fake.Start(fake.Config{Models: []fake.Model{fake.Vision("eye"), fake.Text("judge")}, Address: "0.0.0.0:" + port})
	t.Cleanup(open.Close)
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Error(err)
	}
}

func sectionOf(t *testing.T, r report.Report, name string) [][2]string {
	t.Helper()
	for _, s := range r.Provenance {
		if s.Name == name {
			return s.Rows
		}
	}
	t.Fatalf("the report has no section %q", name)
	return nil
}
