import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { serve } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { workFolder } from '../../simulator/work-folder.ts';

const folder = fileURLToPath(new URL('../../../appliance/bootstrap', import.meta.url));
const scripts = readdirSync(folder).filter((name) => name.endsWith('.py'));

/** Debian 11 has Python 3.9; all other supported systems have newer versions. */
const parse = 'import ast, sys; ast.parse(sys.stdin.read(), feature_version=(3, 9))';

describe.each(scripts)('%s', (name) => {
  const text = readFileSync(`${folder}/${name}`, 'utf8');

  it('indents a Python file with tabs only', () => {
    expect(text.split('\n').filter((line) => /^\t* /.test(line))).toEqual([]);
  });

  it('limits the lines of a Python file to 110 columns', () => {
    const lines = text.split('\n').map((line) => line.replaceAll('\t', '    '));
    expect(lines.filter((line) => line.length > 110)).toEqual([]);
  });

  it('uses valid syntax for Python 3.9', async () => {
    const { exitCode, stderr } = await execa('python3', ['-c', parse], {
      input: text,
      reject: false,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});

/** Reads a URL as Python 3.13 and newer would, whose default is strict. */
const readStrictly = `
import ssl, sys
made = ssl.create_default_context
def strict():
    context = made()
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context
ssl.create_default_context = strict
sys.path.insert(0, sys.argv[1])
import fetch
print(fetch.Source(None, 64, 1, sys.argv[2]).read(0, 9).decode())
`;

describe('the first download', () => {
  it('accepts an authority of a company that curl accepts, and no other', async () => {
    const authority = new CertificateAuthority('Example Corp Proxy CA', true);
    const server = await FaultyServer.start(serve(Buffer.from('some text')), {
      tls: authority.issue(),
    });
    const read = async (cert: string) => {
      const file = join(await workFolder(), 'authority.pem');
      await writeFile(file, cert);
      return await execa('python3', ['-B', '-c', readStrictly, folder, `${server.origin}/x.tar`], {
        env: { SSL_CERT_FILE: file },
        reject: false,
      });
    };
    try {
      expect((await read(authority.cert)).stdout).toBe('some text');
      const { stderr } = await read(new CertificateAuthority('Example Corp Proxy CA', true).cert);
      expect(stderr).toContain('CERTIFICATE_VERIFY_FAILED');
    } finally {
      await server.close();
    }
  });
});
