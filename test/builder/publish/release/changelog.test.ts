import { describe, expect, it } from 'vitest';
import { changelogSection } from '../../../../builder/publish/release/changelog.ts';

const text = `# Changelog

## Unreleased

- Next.

## [1.2.0] - 2026-11-01

- One.

### Fixed

- Two.

## v1.1.0

## 1.0.0
- First.`;

describe('the section of a changelog', () => {
  it.each([
    ['1.2.0', '- One.\n\n### Fixed\n\n- Two.'],
    ['1.1.0', ''],
    ['1.0.0', '- First.'],
    ['1.2', undefined],
    ['Unreleased', undefined],
  ])('finds the section of %s in a changelog by its heading', (version, section) => {
    expect(changelogSection(text, version)).toBe(section);
  });
});
