#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-only
# Runs test programs that speak TAP, as prove(1) does and with its library,
# and ends with "N passed, N failed". A program that dies, or whose plan does
# not hold, counts as a failure. With $EARLYOUT_COUNTS set, appends the
# numbers to that file too, for whoever adds up several runs.
# usage: run.pl PROGRAM...
use strict;
use warnings;
use Cwd qw(realpath);
use File::Basename qw(dirname);
use TAP::Harness;

die "usage: run.pl PROGRAM...\n" unless @ARGV;

# cmocka's programs speak TAP when told to.
$ENV{CMOCKA_MESSAGE_OUTPUT} = 'TAP';
# Neither the user's settings nor a repository around this one is tested.
delete @ENV{grep { /^GIT_/ } keys %ENV};
# Wherever the programs were built to, the data are those of this checkout.
$ENV{EARLYOUT_DATA} //= realpath(dirname(__FILE__) . '/..');
$ENV{LC_ALL} = 'C.UTF-8';
$ENV{UBSAN_OPTIONS} //= 'print_stacktrace=1';

# cmocka 1.1 says "not ok 3 # SKIP name", which TAP reads as a failure, and a
# comment when all is well.
my $unskip = 'set -o pipefail; "$1" | ' .
	'sed "s/^not ok \\(.*# SKIP\\)/ok \\1/; /^# ok - /d"';

my $harness = TAP::Harness->new({
	failures => 1,
	comments => 1,
	verbosity => $ENV{V} ? 1 : 0,
	timer => 1,
	# Every test is a program of its own, whatever its name.
	exec => sub {
		my $program = $_[1];
		return [ $program ] unless -B $program;
		return [ 'bash', '-c', $unskip, 'bash', $program ];
	},
});
my $all = $harness->runtests(@ARGV);

my $failed = $all->failed;
for my $parser ($all->parsers) {
	next if $parser->failed;
	# Dead without a failed test, or fewer tests than planned.
	$failed++ if $parser->wait || $parser->parse_errors;
}
my $skipped = $all->skipped;
my $passed = $all->passed - $skipped;
my $tail = $skipped ? ", $skipped skipped" : '';

if (my $file = $ENV{EARLYOUT_COUNTS}) {
	open my $to, '>>', $file or die "$file: $!\n";
	print $to "$passed $failed $skipped\n";
	close $to or die "$file: $!\n";
}
print "$passed passed, $failed failed$tail\n";
exit($failed ? 1 : 0);
