import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { licenseTable } from '../../../../builder/bundle/notice/table.ts';
import { withGenerated } from '../../../../builder/inputs/config/reference/markers.ts';

describe('docs/release/licences.md', () => {
  it('keeps the table in docs/release/licences.md current; run npm run schema to update it', async () => {
    const text = await readFile(
      new URL('../../../../docs/release/licences.md', import.meta.url),
      'utf8',
    );
    expect(text).toBe(withGenerated(text, 'licenses', await licenseTable()));
  });
});
