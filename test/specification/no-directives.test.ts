import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostNames } from '#contract/site/enabled.ts';
import type { Site } from '#contract/site/site.ts';
import { applyVariables } from '#contract/site/variables.ts';
import { backupTimers } from '../../appliance/server/timers/backups.ts';
import { unattendedTimer } from '../../appliance/server/timers/updates.ts';
import { secretNames } from '../../appliance/stages/secrets/secret-names.ts';
import { renderStack } from '../../appliance/stages/stack/render-stack.ts';
import { fuzzRuns } from '../simulator/fuzz.ts';
import { anySite } from '../simulator/site-arbitrary.ts';

/** The directives of nginx that the gateway uses. A string of a site adds none. */
const nginxDirectives = `absolute_redirect access_log add_header alias charset charset_types client_body_temp_path
  client_header_timeout client_max_body_size default_type deny error_log error_page events expires fastcgi_temp_path
  geo http http2 http2_max_concurrent_streams if include keepalive_timeout limit_conn limit_conn_status
  limit_conn_zone limit_except limit_req limit_req_status limit_req_zone listen location log_format map pid
  proxy_buffering proxy_connect_timeout proxy_hide_header proxy_http_version proxy_ignore_headers
  proxy_max_temp_file_size proxy_pass proxy_read_timeout proxy_request_buffering proxy_send_timeout
  proxy_intercept_errors
  proxy_set_header proxy_temp_path reset_timedout_connection resolver resolver_timeout return root scgi_temp_path
  sendfile server server_name server_names_hash_bucket_size server_tokens set ssl_certificate ssl_certificate_key
  ssl_ciphers ssl_client_certificate ssl_prefer_server_ciphers ssl_protocols ssl_session_cache ssl_session_tickets
  ssl_session_timeout ssl_verify_client tcp_nodelay try_files types uwsgi_temp_path worker_connections
  worker_processes worker_rlimit_nofile`;
const haproxyKeywords = `acl backend balance bind default-server defaults frontend global hard-stop-after hold
  http-check http-error http-request http-response log maxconn mode monitor-uri nbthread option parse-resolv-conf
  resolvers retries retry-on server server-template srvtcpka-cnt srvtcpka-idle srvtcpka-intvl stats stick stick-table
  timeout tune.bufsize use_backend`;
const unitKeys = `After ConditionPathExists Description Documentation Environment ExecStart FixedRandomDelay Nice
  OnCalendar Persistent RandomizedDelaySec TimeoutStartSec Type WantedBy Wants [Install] [Service] [Timer] [Unit]`;

const words = (text: string) => new Set(text.split(/\s+/));

/** Blocks of nginx whose entries are values, not directives. */
const tables = new Set(['geo', 'map', 'types']);

/** Returns the names of the directives of a configuration as nginx splits it. */
function directivesOf(text: string): string[] {
  const names: string[] = [];
  const blocks: string[] = [];
  let first: string | undefined;
  const token =
    /#[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[;{}]|(?:\$\{|[^\s;{}]|(?<=\$\{\w*)\})+/gy;
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    token.lastIndex = at;
    const [word] = token.exec(text) ?? [];
    if (word === undefined) throw new Error(`nginx cannot read ${text.slice(at, at + 40)}`);
    at += word.length;
    if (word.startsWith('#')) continue;
    if (word === ';' || word === '{') {
      if (first !== undefined && !tables.has(blocks.at(-1) ?? '')) names.push(first);
      if (word === '{') blocks.push(first ?? '');
      first = undefined;
    } else if (word === '}') {
      if (blocks.pop() === undefined) throw new Error('nginx finds a closing brace too many');
    } else first ??= word;
  }
  if (blocks.length > 0) throw new Error('nginx finds no end of a block');
  return names;
}

function stackOf(site: Site): Map<string, string> {
  const secrets = Object.fromEntries(secretNames(site).map(({ name }) => [name, `of ${name}`]));
  const server = {
    memory: 8e9,
    cpus: 4,
    addresses: ['203.0.113.7', '2001:db8::7'],
    ipv6: 'reachable',
  } as const;
  const gatewayConfiguration = readFileSync('compose/gateway/nginx.conf', 'utf8');
  const files = renderStack({ site, secrets, server, images: [], gatewayConfiguration });
  return new Map(files.map(({ path, content }) => [path, content]));
}

const forEverySite = (check: (site: Site) => void) =>
  fc.assert(
    fc.property(anySite, (site) => check(applyVariables(site))),
    { numRuns: fuzzRuns(150) },
  );

function expectOnly(found: readonly string[], known: string): void {
  const expected = words(known);
  expect(found.filter((name) => !expected.has(name))).toEqual([]);
}

describe('any string of a site', () => {
  it('adds no directive to nginx, and names exactly the hosts of the site', () => {
    forEverySite((site) => {
      const files = [...stackOf(site)].filter(([path]) => /^gateway\/.*\.conf$/.test(path));
      for (const [, text] of files) expectOnly(directivesOf(text), nginxDirectives);
      const all = files.map(([, text]) => text).join('');
      for (const name of hostNames({ hosts: site.role ? {} : site.hosts })) {
        expect(all).toMatch(new RegExp(`server_name (?:.* )?${name}[ ;]`));
      }
    });
  });

  it('adds no keyword to HAProxy', () => {
    forEverySite((site) => {
      const lines = (stackOf(site).get('balancer/haproxy.cfg') ?? '').split('\n');
      const keywords = lines.map((line) => /^\s*([^\s#]*)/.exec(line)?.[1] ?? '');
      expectOnly(
        keywords.filter((word) => word !== ''),
        haproxyKeywords,
      );
    });
  });

  it('adds no setting to the timers of systemd', () => {
    forEverySite((site) => {
      const services = [backupTimers(site), unattendedTimer(site)];
      for (const { text } of services.flatMap(({ files = [] }) => files)) {
        const lines = typeof text === 'string' ? text.split('\n') : [];
        expectOnly(
          lines.filter((line) => line !== '').map((line) => line.split('=')[0] ?? ''),
          unitKeys,
        );
      }
    });
  });
});
