import { describe, expect, it } from 'vitest';
import { upkeepWarnings } from '../../../appliance/stack/upkeep-warnings.ts';

describe('the warnings about components without releases', () => {
  it('names each enabled front-end and its flaw', () => {
    expect(upkeepWarnings({ components: { chat: true, lobe: true } })).toMatchObject([
      { kind: 'component', subject: 'chat', text: expect.stringContaining('SSRF') },
      { kind: 'component', subject: 'lobe', text: expect.stringContaining('frozen') },
    ]);
  });

  it('is empty for a site without front-ends', () => {
    expect(upkeepWarnings({ components: { chat: false, lobe: false } })).toEqual([]);
  });
});
