import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bootstrapFiles } from '../../../builder/bundle/bootstrap-files.ts';
import { sha256 } from '../../simulator/bundle.ts';

const folder = fileURLToPath(new URL('../../../appliance/bootstrap', import.meta.url));

describe('the bootstrap files', () => {
  it('lists all bootstrap files in the folder', () => {
    const names = bootstrapFiles().map(({ name }) => name);
    expect(names.toSorted()).toEqual(readdirSync(folder).sort());
  });

  it('returns the content and the SHA-256 of the bootstrap source files', () => {
    for (const { name, content, sha256: digest } of bootstrapFiles()) {
      const bytes = readFileSync(`${folder}/${name}`);
      expect(Buffer.from(content)).toEqual(bytes);
      expect(digest).toBe(sha256(bytes));
    }
  });
});
