import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { maxUpload } from '#contract/sizes/limits.ts';
import { contentPolicyFor } from '../../../../../appliance/server/progress/page/assets.ts';
import {
  errorJson,
  errorLocations,
  errorPage,
  errorVariables,
  gatewayErrors,
} from '../../../../../appliance/stages/stack/gateway/gateway-errors.ts';

const pages = gatewayErrors.map((error) => [error.name, errorPage(error)] as const);
const unavailable = pages.find(([name]) => name === 'unavailable')?.[1] ?? '';

/** The integration tests of the gateway request these responses from nginx. */
describe('the page for an error of the gateway', () => {
  it('refreshes without JavaScript when a component is not available', () => {
    expect(unavailable).toContain('<meta http-equiv="refresh" content="5">');
  });

  it.each(pages)(
    'renders each paragraph of an error page in English and Chinese: %s',
    (_name, page) => {
      const paragraphs = page.match(/<(h1|p)>.*<\/\1>/g) ?? [];
      expect(paragraphs.length).toBeGreaterThanOrEqual(2);
      for (const text of paragraphs) {
        expect(text).toMatch(/[a-z]{3}.*<span lang="zh-Hans">[^<]*[\u4e00-\u9fff]/);
      }
      expect(page.replace(/<span lang="zh-Hans">[^<]*/g, '')).not.toMatch(/[\u4e00-\u9fff]/);
    },
  );

  // nginx rejects values of 4,096 bytes and more, and replaces `$name` by a variable.
  it.each([...pages, ...gatewayErrors.map((error) => [error.name, errorJson(error)] as const)])(
    'fits into a value of nginx: %s',
    (_name, text) => {
      expect(Buffer.byteLength(text)).toBeLessThan(4000);
      expect(text).not.toMatch(/[$']/);
      expect(errorVariables()).toContain(`default '${text}';`);
    },
  );

  it.each(pages)('loads nothing, and its policy allows only its style: %s', (_name, page) => {
    const [, style = ''] = /<style>(.*)<\/style>/.exec(page) ?? [];
    expect(page).not.toMatch(/<img|<script|src=|href=|url\(/);
    const text = errorLocations({ hsts: false }).join('\n');
    expect(text).toContain(`Content-Security-Policy "${contentPolicyFor({ style })}" always;`);
  });
});

describe('the response of the gateway to a program', () => {
  it.each([
    ['service_unavailable', 'api_error', 'not available'],
    ['request_too_large', 'invalid_request_error', `${maxUpload} MB`],
    ['rate_limited', 'rate_limit_error', 'wait a minute'],
  ])(
    'returns a gateway error in the format of OpenAI and of Open WebUI to a program: %s',
    (code, type, text) => {
      const error = gatewayErrors.find((each) => each.code === code);
      expect(error && JSON.parse(errorJson(error))).toEqual({
        error: { message: expect.stringContaining(text), type, param: null, code },
        detail: expect.stringMatching(/[a-z].*[\u4e00-\u9fff]/),
      });
    },
  );
});

describe('the locations of the responses', () => {
  it('repeat the security headers, which nginx does not inherit', () => {
    const locations = errorLocations({ hsts: true }).filter((text) => text.startsWith('location'));
    expect(locations).toHaveLength(2 * gatewayErrors.length);
    for (const location of locations) {
      for (const header of ['X-Content-Type-Options', 'Referrer-Policy', 'Strict-Transport']) {
        expect(location).toContain(`add_header ${header}`);
      }
    }
    expect(errorLocations({ hsts: false }).join()).not.toContain('Strict-Transport');
  });
});

describe('the maximum size of an upload', () => {
  const read = (path: string) =>
    readFileSync(new URL(`../../../../../compose/${path}`, import.meta.url), 'utf8');

  it('leaves room at the gateway for the form around a file', () => {
    expect(read('gateway/nginx.conf')).toContain(`client_max_body_size ${maxUpload + 1}m;`);
  });
});
