import { createHash } from 'node:crypto';

/**
 * Returns a policy that allows nothing but the inline style and script of a page (CSP Level 3). The
 * script may request pages of its own origin.
 */
export function contentPolicyFor({ style, script }: { style: string; script?: string }): string {
  return [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    ...(script === undefined ? [] : [`script-src ${hash(script)}`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
