import { describe, expect, it } from 'vitest';
import { inferencePaths } from '../../../../../appliance/stages/stack/components/engine/inference-paths.ts';
import { renderGateway } from '../../../../../appliance/stages/stack/gateway/render-gateway.ts';
import type { StackInput } from '../../../../../appliance/stages/stack/stack-input.ts';
import { CertificateAuthority } from '../../../../faulty-server/certificates.ts';
import { everything, stackInput } from '../stack-input.ts';

/** Tests the rendered text. Other tests run nginx with it. */
function files(site: Record<string, unknown>, rest: Partial<StackInput> = {}) {
  return Object.fromEntries(
    renderGateway(stackInput(site, rest)).map(({ path, content }) => [
      path.replace('gateway/conf.d/', ''),
      content,
    ]),
  );
}

describe("the gateway's files", () => {
  it('renders one gateway file per host name and one for all others', () => {
    expect(Object.keys(files(everything))).toEqual([
      '00-unlimited.conf',
      '00-errors.conf',
      '00-other-hosts.conf',
      'ui.conf',
      'chat.conf',
      'lobe.conf',
      'relay.conf',
      'docs.conf',
      'tunnel.conf',
      'gateway/public/ui-limits.js',
    ]);
  });

  it('serves the challenges of certificate authorities with and without TLS', () => {
    const { 'ui.conf': ui = '' } = files(everything);
    expect(ui.match(/location \^~ \/\.well-known\/acme-challenge\//g)).toHaveLength(2);
  });

  it('listens on IPv6, except on a kernel without it', () => {
    const listening = (ipv6: 'local' | 'none') => {
      const rest = { server: { ...stackInput().server, ipv6 } };
      const texts = [files(everything, rest), files({}, rest)].flatMap(Object.values).join('');
      return [...texts.matchAll(/listen (\[::\]:)?(\d+)/g)].map(([, v6 = '', port]) => v6 + port);
    };
    const v4 = listening('none');
    expect(v4.filter((each) => each.startsWith('['))).toEqual([]);
    expect(listening('local').filter((each) => !each.startsWith('['))).toEqual(v4);
    expect(new Set(listening('local'))).toContain('[::]:443');
  });

  it('keeps the keys in queries of Gemini out of the log of errors', () => {
    const gemini = { base_url: 'https://gemini.example/v1beta', api: 'gemini' };
    const { 'relay.conf': relay, 'ui.conf': ui } = files({ ...everything, providers: { gemini } });
    expect(relay).toContain('error_log /dev/stderr crit;');
    expect(ui).not.toContain('error_log');
    expect(files(everything)['relay.conf']).not.toContain('error_log');
  });

  it('renders one gateway file for the address of a server without host names', () => {
    expect(Object.keys(files({}))).toEqual([
      '00-unlimited.conf',
      '00-errors.conf',
      '00-bare-address.conf',
      'tunnel.conf',
      'gateway/public/ui-limits.js',
    ]);
  });

  it('renders the port of an engine node, and no page', () => {
    const engine_node = { client_ca: new CertificateAuthority().cert, clients: ['203.0.113.10'] };
    const node = { role: 'engine-node', engine_node };
    const rendered = files(node, { version: '1.2.0' });
    expect(Object.keys(rendered)).toEqual([
      '00-unlimited.conf',
      '00-errors.conf',
      '00-other-hosts.conf',
      'engine-node.conf',
      'gateway/tls/clients.pem',
      'tunnel.conf',
    ]);
    const { 'engine-node.conf': own = '' } = rendered;
    expect(own).toContain('ssl_verify_client on;');
    expect(own).toContain(`return 200 '{"release":"1.2.0"}';`);
    expect(own.match(/^ {2}location .*(?= \{$)/gm)).toEqual([
      '  location = /.well-known/landfall/engine',
      ...[...inferencePaths.generate, ...inferencePaths.embed, ...inferencePaths.inform].map(
        (path) => `  location = ${path}`,
      ),
      '  location /v1/models/',
    ]);
    expect(own).toContain('location / { return 403; }');
    expect(rendered['gateway/tls/clients.pem']).toBe(engine_node.client_ca);
  });

  it('serve the progress page at the address of a site with host names, without TLS', () => {
    const [, , address = ''] = (files(everything)['00-other-hosts.conf'] ?? '').split(/^}$/m);
    expect(address).toContain('server_name ~^[0-9.]+$ ~^\\[[0-9a-f:.]+\\]$;');
    expect(address).toContain('root /etc/nginx/landfall/progress;');
    expect(address).toContain('try_files /index.html =403;');
    expect(address).not.toContain('443');
    expect(files({})['00-bare-address.conf']).not.toContain('progress');
  });

  it('serve the documentation to SSH tunnels, for names of the loopback address only', () => {
    const [others = '', own = ''] = (files({})['tunnel.conf'] ?? '').split('\n\n');
    expect(others).toContain('listen 8090 default_server;\n  server_name _;');
    expect(others).toContain('location / { return 403; }');
    expect(own).toContain('listen 8090;\n  server_name localhost 127.0.0.1;');
    expect(own).toContain('root /usr/share/landfall/docs;');
    // All clients of a tunnel have the same address.
    for (const block of [others, own]) expect(block).toContain('access_log /dev/stdout landfall;');
  });

  it('contain each exempt network of the site once', () => {
    const unlimited = ['173.245.48.0/20', '2400:cb00::/32', '173.245.48.0/20'];
    expect(files({ firewall: { unlimited } })['00-unlimited.conf']).toContain(
      'geo $is_unlimited_network {\n  default 0;\n  173.245.48.0/20 1;\n  2400:cb00::/32 1;\n}\n',
    );
  });

  it('serve no name of a disabled component', () => {
    const names = Object.keys(files({ ...everything, components: { lobe: true } }));
    expect(names).not.toContain('chat.conf');
    expect(names).toContain('lobe.conf');
  });

  it('send HSTS only over TLS with a trusted certificate', () => {
    const hsts = 'Strict-Transport-Security';
    const trustedCertificate = true;
    expect(files(everything)['ui.conf']).not.toContain(hsts);
    expect(files(everything, { trustedCertificate })['ui.conf']).toContain(hsts);
    const plain = { ...everything, tls: { mode: 'off' } };
    expect(files(plain, { trustedCertificate })['ui.conf']).not.toContain(hsts);
    expect(files({}, { trustedCertificate })['00-bare-address.conf']).not.toContain(hsts);
  });

  it('send clients to another port of HTTPS, without HSTS, which has no port', () => {
    const site = { ...everything, hosts: { ...everything.hosts, port: 8443 } };
    const { 'ui.conf': ui = '', 'chat.conf': chat = '' } = files(site, {
      trustedCertificate: true,
    });
    expect(ui).toContain('return 301 https://$host:8443$request_uri;');
    // Programs compare the host of a request with the origin of its page.
    for (const text of [ui, chat]) expect(text).toContain('proxy_set_header Host $host:8443;');
    expect(ui).toContain('listen 443 ssl; listen [::]:443 ssl;');
    expect(ui).not.toContain('Strict-Transport-Security');
  });

  it('serve the own authority over TLS only if port 80 is closed', () => {
    const secureServer = (hosts: object) =>
      (files({ hosts })['ui.conf'] ?? '').split(/^}$/m).find((text) => text.includes('443'));
    const ui = 'chat.example.com';
    expect(secureServer({ ui })).not.toContain('authority.crt');
    expect(secureServer({ ui, http: false })).toContain('authority.crt');
  });

  it('do not listen on 443 without TLS', () => {
    const all = Object.values(files({ ...everything, tls: { mode: 'off' } })).join('');
    expect(all).not.toContain('443');
    expect(all).not.toContain('return 301');
  });

  it('renders the health endpoint of the gateway for any host, also without TLS', () => {
    for (const mode of ['internal', 'off']) {
      const text = files({ tls: { mode } })['00-bare-address.conf'] ?? '';
      const [first = ''] = text.split(/^}$/m);
      expect(first).toContain('default_server');
      expect(first).toContain('location = /.well-known/landfall/health');
      expect(first).not.toMatch(/^ {2}if /m);
    }
  });

  it.each(['ui', 'chat', 'lobe', 'relay'])('pass the client address to %s (SPEC 2.9)', (part) => {
    const text = files(everything)[`${part}.conf`] ?? '';
    for (const line of [
      'proxy_set_header Host $host;',
      'proxy_set_header X-Real-IP $remote_addr;',
      'proxy_set_header X-Forwarded-For $remote_addr;',
      'proxy_set_header X-Forwarded-Proto https;',
    ]) {
      expect(text).toContain(line);
    }
  });

  it('keep an idle chat open for a day (SPEC 8)', () => {
    expect(files(everything)['ui.conf']).toContain('proxy_read_timeout 86400s;');
  });

  it.each(['chat', 'lobe', 'relay'])('forward no upgrade to %s', (part) => {
    const text = files(everything)[`${part}.conf`] ?? '';
    expect(text).toContain('proxy_set_header Upgrade "";');
    expect(text).not.toContain('$http_upgrade');
  });

  describe('block the routes of LobeChat that fetch any URL', () => {
    const text = () => files(everything)['lobe.conf'] ?? '';
    const blockedPath = () =>
      new RegExp(/location ~\* (\S+) \{ return 403; \}/.exec(text())?.[1] ?? 'none', 'i');
    /** Whether one of the conditions on a variable of nginx is true. */
    const isBlocked = (variable: 'http_cookie' | 'args', value: string) => {
      const conditions = text().matchAll(/if \(\$(\w+) ~ "(.*)"\) \{ return 403; \}/g);
      const own = [...conditions].filter(([, name]) => name === variable);
      expect(own.length).toBeGreaterThan(0);
      return own.some(([, , pattern = '']) => new RegExp(pattern).test(value));
    };

    it.each([
      '/webapi/proxy',
      '/WebAPI/Proxy/',
      '/webapi/plugin/gateway',
      '/_next/data/g7sSTT0D-LI4yN/webapi/proxy.json',
      '/_next/data/g7sSTT0D-LI4yN/webapi/plugin/gateway.json',
    ])('at %s', (path) => {
      expect(path).toMatch(blockedPath());
    });

    it.each(['/', '/webapi/chat/openai', '/_next/static/chunks/a.js', '/webapi/proxyless'])(
      'and not %s',
      (path) => {
        expect(path).not.toMatch(blockedPath());
      },
    );

    it.each([
      'LOBE_THEME_APPEARANCE=x/../../webapi/proxy',
      'a=b; LOBE_THEME_APPEARANCE=x%2F..%2F..%2Fwebapi%2Fproxy; c=d',
      'LOBE_LOCALE=en-US; LOBE_LOCALE=..\\webapi',
      // Pages that request themselves again until the memory is full.
      'LOBE_LOCALE=me; LOBE_THEME_APPEARANCE=a',
      'LOBE_LOCALE=me-ME',
      'LOBE_LOCALE=en-USx',
      'LOBE_THEME_APPEARANCE=chat',
    ])('through the cookie %s', (cookie) => {
      expect(isBlocked('http_cookie', cookie)).toBe(true);
    });

    it.each([
      'LOBE_LOCALE=zh-CN; LOBE_THEME_APPEARANCE=dark; other=/../x',
      'LOBE_LOCALE=; LOBE_THEME_APPEARANCE=',
      'LOBE_LOCALE=ar',
    ])('and not the cookies of its own pages: %s', (cookie) => {
      expect(isBlocked('http_cookie', cookie)).toBe(false);
    });

    it.each([
      'hl=chat',
      'a=b&hl=../../webapi/x',
      '%68l=me',
      'hl=en-US&hl=me',
      'nxtPhl=me',
      'a=b&nxtIhl=chat',
    ])('through the query %s', (query) => {
      expect(isBlocked('args', query)).toBe(true);
    });

    it.each(['hl=zh-TW', 'batch=1&input=%7B%7D', '', 'q=a%20b'])('and not with %s', (query) => {
      expect(isBlocked('args', query)).toBe(false);
    });
  });

  it('block queries that select another API of NextChat', () => {
    const text = files(everything)['chat.conf'] ?? '';
    const blocked = new RegExp(
      /if \(\$args ~ "(\(.*)"\) \{ return 403; \}/.exec(text)?.[1] ?? 'none',
    );
    for (const query of ['nxtPprovider=google', 'a=b&nxtPpath=x', '%6extPprovider=google']) {
      expect(query).toMatch(blocked);
    }
    for (const query of ['', 'start_date=2026-11-01&end_date=2026-11-22', 'x=%2e%2e%2f&y=nxt']) {
      expect(query).not.toMatch(blocked);
    }
  });
});
