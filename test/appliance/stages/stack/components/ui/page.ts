import { vi } from 'vitest';
import { pageScript } from '../../../../../../appliance/stages/stack/components/ui/page-script.ts';

export const origin = 'https://chat.example.com';

/** An element, as far as the script uses it. */
class Element {
  textContent = '';
  readonly children: Element[] = [];
  readonly #attributes: Record<string, string> = {};
  readonly #listeners: Array<() => void> = [];
  #parent: Element | undefined;

  setAttribute(name: string, value: string): void {
    this.#attributes[name] = value;
  }

  getAttribute(name: string): string | undefined {
    return this.#attributes[name];
  }

  addEventListener(_type: 'click', listener: () => void): void {
    this.#listeners.push(listener);
  }

  append(child: Element): void {
    child.#parent = this;
    this.children.push(child);
  }

  remove(): void {
    this.#parent?.children.splice(this.#parent.children.indexOf(this), 1);
  }

  click(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A reply in the chat. */
export interface Bubble {
  text: string;
  isDone: boolean;
}

type Asked = { readonly url: string; readonly init: RequestInit | undefined };

/** A page of Open WebUI with the script, in front of a server. */
export class Page {
  /** Requests that reached the server. */
  readonly asked: Asked[] = [];
  /** Replies on the page, by message. */
  readonly bubbles: Record<string, Bubble> = {};
  readonly #body = new Element();
  readonly #listeners: Record<string, () => void> = {};
  readonly #window;

  constructor(
    server: (path: string, init: RequestInit | undefined) => Response | Promise<Response>,
    limits: { context: number | null; text: number } = { context: 8192, text: 0.5 },
    stored: Map<string, string> = new Map(),
  ) {
    this.#window = {
      fetch: async (input: unknown, init?: RequestInit) => {
        this.asked.push({ url: `${input}`, init });
        return await server(new URL(`${input}`, origin).pathname, init);
      },
      addEventListener: (type: string, listener: () => void) => {
        this.#listeners[type] = listener;
      },
      localStorage: { token: 'a-token' },
      sessionStorage: {
        getItem: (name: string) => stored.get(name) ?? null,
        setItem: (name: string, value: string) => stored.set(name, value),
        removeItem: (name: string) => stored.delete(name),
      },
      document: {
        body: this.#body,
        createElement: () => new Element(),
        getElementById: (id: string) => this.#bubble(id.replace('message-', '')),
      },
    };
    const location = { href: `${origin}/c/1` };
    new Function('window', 'location', pageScript(limits))(this.#window, location);
    this.emit('load');
  }

  async fetch(path: unknown, init?: RequestInit): Promise<Response> {
    return await this.#window.fetch(path, init);
  }

  emit(event: 'load' | 'pagehide'): void {
    this.#listeners[event]?.();
  }

  /** The notice that a person sees. */
  get notice(): Element | undefined {
    return this.#body.children[0];
  }

  #bubble(id: string) {
    const bubble = this.bubbles[id];
    return (
      bubble && {
        querySelector: (selector: string) => {
          if (selector === '.chat-assistant') return { innerText: bubble.text };
          return bubble.isDone ? {} : null;
        },
      }
    );
  }
}

/** Lets time pass on a page whose clock is replaced. */
export async function pass(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1000);
}
