import { describe, expect, it } from 'vitest';
import { channelNotes, securityOf } from '../../../../builder/publish/release/channel-entry.ts';

describe('the security problem that a section of the changelog names', () => {
  it.each([
    ['none', '- Faster.\n\n### Fixed\n\n- Security of uploads.'],
    ['moderate', '### Security\n\n- nginx 1.29.1.'],
    ['critical', '- Faster.\n\n### Security: critical\n\n- nginx 1.29.1.'],
    ['none', '### Security: harmless'],
  ])('rates it as %s by its heading', (severity, changes) => {
    expect(securityOf(changes)).toBe(severity);
  });
});

describe('the notes of a channel', () => {
  it('keeps a section that fits', () => {
    expect(channelNotes('- One.\n\t- Two.\n')).toBe('- One.\n  - Two.');
  });

  it('drops the last lines of a long section, counted in bytes', () => {
    const line = `- ${'字'.repeat(100)}`;
    const notes = channelNotes(Array(20).fill(line).join('\n'));
    expect(notes.split('\n')).toEqual(Array(13).fill(line));
  });
});
