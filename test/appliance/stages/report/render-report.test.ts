import { describe, expect, it } from 'vitest';
import { renderReport } from '../../../../appliance/stages/report/render-report.ts';
import { lastingPart } from '../../../../appliance/stages/report/report.ts';
import { certificateOf, goodReport } from './fixture.ts';

describe('renderReport', () => {
  it('renders all sections, with the next steps last', () => {
    expect(renderReport(goodReport)).toBe(`landfall 1.2.0 (amd64), 2026-11-21 07:10 UTC

URLs
  https://chat.example.com/  (chat UI)

Log in
  ssh ops@203.0.113.5
  host key ED25519 SHA256:abc

Through an SSH tunnel only
  HTTP proxy: http://127.0.0.1:8888/, while this command runs on your computer:
    ssh -N -L 127.0.0.1:8888:127.0.0.1:8888 ops@203.0.113.5

DNS records
  chat.example.com.  A  203.0.113.5

Certificate
  chat.example.com, valid until 2027-02-19, issued by CN=landfall self-signed
  SHA-256 38:A0:B4

Addresses
  203.0.113.5  (public)
  2001:db8::5

Models
  qwen3:8b  5.2 GB
  mine:1b
  8192 tokens in a conversation

Firewall (ufw status verbose)
  Status: active

  To    Action

Warnings
  no swap could be made

Next steps
  sudo landfall credentials      shows the generated passwords
  create the DNS records of the report, unless they exist
  browsers warn about the certificate: compare its SHA-256 with the report
  open https://chat.example.com/
  sign in to the chat UI as me@example.com
  landfall status                shows the state of the server
`);
  });

  it('shows the command that adds an engine node, and nothing for browsers', () => {
    const addNode = "sudo landfall site add engines.nodes '{}'";
    const node = renderReport({ ...goodReport, addNode, urls: [], records: [], chatSignIn: null });
    expect(node).toContain(`Run this on the first server\n  ${addNode}\n`);
    expect(node).toContain('show it again: sudo landfall engines show');
    expect(node).not.toMatch(/browsers|chat UI\b as|^ {2}open /m);
  });

  it('shows the state of the servers behind HAProxy, in the language of the site', () => {
    const engines = [
      { name: 'local', state: 'up' },
      { name: 'attic', state: 'down', reason: 'Layer4 timeout' },
    ] as const;
    const report = { ...goodReport, engines: [...engines] };
    expect(renderReport(report)).toContain('Inference servers\n  local up\n  attic down\n');
    const chinese = renderReport({ ...report, language: 'zh' });
    expect(chinese).toContain('推理服务器\n  local 正常\n  attic 不可用\n');
    expect(lastingPart(report)).toEqual(lastingPart(goodReport));
  });

  it('shows durations and resources only on request', () => {
    expect(renderReport(goodReport, { timings: true })).toContain(`
Stages
  preflight  unchanged  0.4 s  own code 0.1 s
  runtime    done        51 s  own code 0.3 s
  total 51 s, own code 0.4 s
  peak memory 91.0 MB, CPU time 2.1 s
`);
  });

  it('omits empty sections', () => {
    const bare = {
      ...goodReport,
      certificate: null,
      tunnels: [],
      records: [],
      models: [],
      warnings: [],
      firewall: [],
    };
    expect(renderReport(bare)).not.toMatch(/Certificate|tunnel|DNS|Models|Warnings|Firewall/);
  });

  it('shows the download command for a missing model, in the next steps too', () => {
    const models = [{ name: 'qwen3:8b', size: 5_200_000_000, present: false }];
    const text = renderReport({ ...goodReport, models });
    const command = 'sudo landfall models pull qwen3:8b';
    expect(text).toContain(
      `Models\n  qwen3:8b  5.2 GB  missing; to download it, run: ${command}\n`,
    );
    expect(text).toMatch(new RegExp(`Next steps\n[^]*  download a model: ${command}\n`));
  });

  it('shows how to set the missing key of a model provider', () => {
    const text = renderReport({ ...goodReport, missingKeys: ['QWEN_API_KEY'] });
    expect(text).toContain(
      'set the key of a model provider: sudo landfall secret set QWEN_API_KEY',
    );
  });

  it('does not ask for DNS records once an ACME authority has verified them', () => {
    const certificate = { ...certificateOf(goodReport), own: false, acme: true, trusted: true };
    const text = renderReport({ ...goodReport, certificate });
    expect(text).not.toMatch(/create the DNS records|browsers warn/);
    expect(text).toContain('DNS records\n  chat.example.com.  A  203.0.113.5');
  });

  // There was no warning about certificates from acme-staging or a private authority.
  it('warns about an untrusted certificate, regardless of its issuer', () => {
    const certificate = { ...certificateOf(goodReport), own: false, acme: true, trusted: false };
    expect(renderReport({ ...goodReport, certificate })).toContain(
      'browsers warn about the certificate: compare its SHA-256',
    );
  });

  it('says where to find the public address if it is unknown', () => {
    const addresses = { v4: ['10.0.0.4'], v6: [], public: null };
    const text = renderReport({ ...goodReport, addresses });
    expect(text).toContain('The console of your provider shows the public address.');
    expect(text).toMatch(/DNS records\n.*\n {2}Use the public address that/);
  });

  it('marks an address from the metadata of the provider', () => {
    const addresses = { v4: ['10.0.0.4'], v6: [], public: '8.8.8.8' };
    expect(renderReport({ ...goodReport, addresses })).toContain(
      '8.8.8.8  (public, from the metadata of your provider)',
    );
  });

  it('renders the sections and next steps of the report in the language of the site', () => {
    const text = renderReport({ ...goodReport, language: 'zh' });
    expect(text).toContain('\n后续步骤\n  sudo landfall credentials      显示生成的密码\n');
    expect(text).toMatch(/^防火墙（ufw status verbose）$/m);
    expect(text).not.toMatch(/^(?:URLs|Log in|Models|Next steps)$/m);
  });
});
