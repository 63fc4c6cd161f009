import { describe, expect, it } from 'vitest';
import { renderReport } from '../../../appliance/report/render-report.ts';
import { certificateOf, goodReport } from './fixture.ts';

describe('the report', () => {
  it('is one page that begins with what to do next', () => {
    expect(renderReport(goodReport)).toBe(`landfall 1.2.0 (amd64), 2026-11-21T07:10:00.000Z

What to do next
  sudo landfall credentials      shows the passwords that were made here
  make the DNS entries below, unless they are there
  open https://chat.example.com/
  the browser warns of the certificate: compare its SHA-256 with the one below
  landfall status                says where the server stands

Where it is
  https://chat.example.com/  (chat UI)

Log in
  ssh ops@203.0.113.5
  host key ED25519 SHA256:abc

Through a tunnel only
  HTTP proxy: http://127.0.0.1:8888/, while this runs on your computer:
    ssh -N -L 127.0.0.1:8888:127.0.0.1:8888 ops@203.0.113.5

DNS entries
  chat.example.com.  A  203.0.113.5

Certificate
  chat.example.com, until 2027-02-19, issued by CN=landfall self-signed
  SHA-256 38:A0:B4

Addresses
  203.0.113.5  (public)
  2001:db8::5

Models
  qwen3:8b  5.2 GB
  mine:1b

Warnings
  no swap could be made

What was done
  preflight  in order  0.4 s  of it in its own code 0.1 s
  runtime    done       51 s  of it in its own code 0.3 s
  51 s in all, of it 0.4 s in its own code
  The program took at most 91.0 MB of memory and 2.1 s of processor time.

Firewall (ufw status verbose)
  Status: active

  To    Action
`);
  });

  it('has no empty chapters', () => {
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

  it('says of a model that is missing how to go on, at the beginning too', () => {
    const models = [{ name: 'qwen3:8b', size: 5_200_000_000, present: false }];
    const text = renderReport({ ...goodReport, models });
    const command = 'sudo landfall models pull qwen3:8b';
    expect(text).toContain(`Models\n  qwen3:8b  5.2 GB  missing; go on with: ${command}\n`);
    expect(text).toContain(`  ${command}  goes on with a model that is missing\n  landfall status`);
  });

  it('asks for DNS entries no more once an authority has seen them', () => {
    const certificate = { ...certificateOf(goodReport), own: false, acme: true, trusted: true };
    const text = renderReport({ ...goodReport, certificate });
    expect(text).not.toMatch(/make the DNS entries|browser warns/);
    expect(text).toContain('DNS entries\n  chat.example.com.  A  203.0.113.5');
  });

  // Nothing warned of a certificate from acme-staging or from a private authority.
  it('says that browsers warn, whoever issued what they do not know', () => {
    const certificate = { ...certificateOf(goodReport), own: false, acme: true, trusted: false };
    expect(renderReport({ ...goodReport, certificate })).toContain(
      'the browser warns of the certificate: compare its SHA-256',
    );
  });

  it('says where to find the address where the server cannot know it', () => {
    const addresses = { v4: ['10.0.0.4'], v6: [], public: null };
    const text = renderReport({ ...goodReport, addresses });
    expect(text).toContain('The console of your provider shows the one that is.');
    expect(text).toMatch(/DNS entries\n.*\n {2}For the world, take the address that/);
  });

  it('says so where the address is what the provider told', () => {
    const addresses = { v4: ['10.0.0.4'], v6: [], public: '8.8.8.8' };
    expect(renderReport({ ...goodReport, addresses })).toContain(
      '8.8.8.8  (public, as your provider says)',
    );
  });
});
