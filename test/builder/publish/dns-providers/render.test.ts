import { describe, expect, it } from 'vitest';
import { readProvider, renderProviders } from '../../../../builder/publish/dns-providers/render.ts';

const toml = `Name = "DNS Update (RFC2136)"
Code = "dnsupdate"
Aliases = ["rfc2136"]
Example = '''
DNSUPDATE_EXAMPLE = 127.0.0.1
'''

[Configuration]
  [Configuration.Credentials]
    DNSUPDATE_NAMESERVER = 'Address'
    "Application Default Credentials" = "Words are no variable"
  [Configuration.Additional]
    DNSUPDATE_TSIG_FILE = "Path to a file that the container does not have"
    DNSUPDATE_TSIG_KEY = "Name"
    DNSUPDATE_TTL = "Seconds"
    DNSUPDATE_PROPAGATION_TIMEOUT = "Seconds"

[Links]
  API = "https://www.rfc-editor.org/rfc/rfc2136.html"
`;

describe('the table of DNS providers', () => {
  it('lists the names and the variables of a provider', () => {
    expect(readProvider(toml)).toEqual({
      names: ['dnsupdate', 'rfc2136'],
      variables: ['DNSUPDATE_NAMESERVER', 'DNSUPDATE_TSIG_KEY', 'DNSUPDATE_PROPAGATION_TIMEOUT'],
    });
  });

  it('leaves out providers that run a program or ask a person', () => {
    const others = ['exec', 'manual'].map((name) => toml.replace('"dnsupdate"', `"${name}"`));
    const text = renderProviders('v5.6.0', [toml, ...others]);
    expect(text).toContain("export const legoVersion = 'v5.6.0';");
    expect(text).toContain(
      'dnsupdate|rfc2136 DNSUPDATE_: NAMESERVER TSIG_KEY PROPAGATION_TIMEOUT;\n',
    );
    expect(text).not.toMatch(/exec|manual/);
  });
});
