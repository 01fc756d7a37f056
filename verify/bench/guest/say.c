// SPDX-License-Identifier: GPL-2.0-only
/* What is said is kept, and written when nothing is measured any more. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "verify/bench/guest/guest.h"

static struct {
	char *text;
	size_t len, cap;
	bool failed;
} said;

static void add(const char *p, size_t n)
{
	if (said.len + n > said.cap) {
		said.cap = 2 * (said.len + n) + 65536;
		said.text = realloc(said.text, said.cap);
		if (!said.text)
			abort();
	}
	memcpy(said.text + said.len, p, n);
	said.len += n;
}

static void vsay(const char *fmt, va_list args)
{
	char line[2500];
	int n = vsnprintf(line, sizeof(line), fmt, args);

	if (n >= (int)sizeof(line))
		n = sizeof(line) - 1;
	for (int i = 0; i < n; i++)
		if ((unsigned char)line[i] < ' ')
			line[i] = ' ';
	add(line, (size_t)n);
	add("\n", 1);
}

static void __attribute__((format(printf, 1, 2))) say(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsay(fmt, args);
	va_end(args);
}

void guest_say_hello(const char *workload)
{
	say("hello 1 %s", workload);
}

void guest_say_failure(const char *words)
{
	said.failed = true;
	say("fail %s", words);
}

void guest_metric(const char *name, const char *unit, bool higher_is_better,
		  const char *words)
{
	say("metric %s %s %s %s", name, unit,
	    higher_is_better ? "higher" : "lower", words);
}

void guest_sample(const char *name, unsigned batch, double value)
{
	say("sample %s %u %.6g", name, batch, value);
}

void guest_env(const char *name, const char *fmt, ...)
{
	char value[2100], key[60];
	va_list args;

	va_start(args, fmt);
	vsnprintf(value, sizeof(value), fmt, args);
	va_end(args);
	snprintf(key, sizeof(key), "%s", name);
	for (char *p = key; *p; p++)
		if (*p == ' ')
			*p = '-';
	say("env %s %s", key, value);
}

static uint32_t crc32_of(const char *p, size_t n)
{
	uint32_t crc = ~0u;

	for (size_t i = 0; i < n; i++) {
		crc ^= (unsigned char)p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static void put(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);

		if (done <= 0)
			return; /* the reader misses the frame, and says so */
		p += done;
		n -= (size_t)done;
	}
}

void guest_flush(int to, bool framed)
{
	unsigned number = 0;

	if (!said.failed)
		say("end");
	for (char *p = said.text, *nl; p < said.text + said.len; p = nl + 1) {
		char head[40];
		size_t n;

		nl = memchr(p, '\n', (size_t)(said.text + said.len - p));
		n = (size_t)(nl - p);
		if (framed) {
			snprintf(head, sizeof(head), "eo %u %08x ", number++,
				 crc32_of(p, n));
			put(to, head, strlen(head));
		}
		put(to, p, n + 1);
	}
}
