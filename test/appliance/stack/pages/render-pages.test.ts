import { describe, expect, it } from 'vitest';
import { renderPages } from '../../../../appliance/stack/pages/render-pages.ts';
import { everything, stackInput } from '../stack-input.ts';

function page(site: Record<string, unknown>, path: string): string {
  return renderPages(stackInput(site)).find((file) => file.path === path)?.content ?? '';
}

describe("the server's own pages", () => {
  it('are there as Markdown and as HTML (SPEC 4, E7)', () => {
    const paths = renderPages(stackInput(everything)).map(({ path }) => path);
    for (const name of ['index', 'chat', 'relay', 'engine', 'proxy']) {
      expect(paths).toContain(`docs/agents/${name}.md`);
      expect(paths).toContain(`docs/agents/${name}.html`);
    }
  });

  it('are listed for programs', () => {
    expect(page(everything, 'docs/llms.txt')).toContain('](/agents/relay.md)');
  });

  it("name the site's own addresses", () => {
    expect(page(everything, 'docs/agents/relay.md')).toContain(
      'base_url="https://api.example.com/openai/v1"',
    );
    expect(page(everything, 'docs/agents/chat.html')).toContain('https://chat.example.com');
  });

  it('explain the tunnel to what has no host name', () => {
    expect(page({}, 'docs/agents/chat.md')).toContain('ssh -N -L 127.0.0.1:3000:127.0.0.1:3000');
  });

  it('hold no secret', () => {
    const input = stackInput(everything);
    const text = renderPages(input)
      .map(({ content }) => content)
      .join();
    for (const value of Object.values(input.secrets)) expect(text).not.toContain(value);
  });
});
