import { describe, expect, it } from 'vitest';
import { contentPolicyFor } from '../../../../appliance/progress/page/content-policy.ts';
import {
  unavailableLocations,
  unavailableVariables,
} from '../../../../appliance/stack/gateway/unavailable.ts';
import {
  unavailableJson,
  unavailablePage,
} from '../../../../appliance/stack/gateway/unavailable-page.ts';

/** The integration tests of the gateway request both responses from nginx. */
describe('the page of a component that is not available', () => {
  it('refreshes without JavaScript', () => {
    expect(unavailablePage).toContain('<meta http-equiv="refresh" content="5">');
    expect(unavailablePage).not.toContain('<script');
  });

  it('has an English and a Chinese text for each paragraph, marked with its language', () => {
    const paragraphs = unavailablePage.match(/<(h1|p)>.*<\/\1>/g) ?? [];
    expect(paragraphs).toHaveLength(3);
    for (const text of paragraphs) {
      expect(text).toMatch(/[a-z]{3}.*<span lang="zh-Hans">[^<]*[\u4e00-\u9fff]/);
    }
    expect(unavailablePage.replace(/<span lang="zh-Hans">[^<]*/g, '')).not.toMatch(
      /[\u4e00-\u9fff]/,
    );
  });

  // nginx rejects values of 4,096 bytes and more, and replaces `$name` by a variable.
  it.each([unavailablePage, unavailableJson])('fits into a value of nginx', (text) => {
    expect(Buffer.byteLength(text)).toBeLessThan(4000);
    expect(text).not.toMatch(/[$']/);
    expect(unavailableVariables()).toContain(`default '${text}';`);
  });

  it('loads nothing, and its policy allows nothing but its style', () => {
    const [, style = ''] = /<style>(.*)<\/style>/.exec(unavailablePage) ?? [];
    expect(unavailablePage).not.toMatch(/<img|src=|href=|url\(/);
    const text = unavailableLocations({ hsts: false }).join('\n');
    expect(text).toContain(`Content-Security-Policy "${contentPolicyFor({ style })}" always;`);
  });
});

describe('the response to a program', () => {
  it('is an error in the format of OpenAI', () => {
    expect(JSON.parse(unavailableJson)).toEqual({
      error: {
        message: expect.stringContaining('not available'),
        type: 'api_error',
        param: null,
        code: 'service_unavailable',
      },
    });
  });
});

describe('the locations of both responses', () => {
  it('repeat the security headers, which nginx does not inherit', () => {
    const [, ...locations] = unavailableLocations({ hsts: true });
    expect(locations).toHaveLength(2);
    for (const location of locations) {
      for (const header of ['X-Content-Type-Options', 'Referrer-Policy', 'Strict-Transport']) {
        expect(location).toContain(`add_header ${header}`);
      }
    }
    expect(unavailableLocations({ hsts: false }).join()).not.toContain('Strict-Transport');
  });
});
