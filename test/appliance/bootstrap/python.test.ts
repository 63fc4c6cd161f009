import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';

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
