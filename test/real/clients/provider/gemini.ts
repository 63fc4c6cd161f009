import { type Body, check, events, type Format, piecesOf, requireResults, textOf } from './turn.ts';

interface Part {
  readonly text?: string;
  readonly functionCall?: { readonly name: string };
  readonly functionResponse?: { readonly name: string; readonly response: unknown };
}

interface Content {
  readonly role?: string;
  readonly parts: readonly Part[];
}

/** Gemini's contents. */
export const gemini: Format = {
  read: (body: Body, path) => {
    const [, model = '', action] = /\/models\/([^/:]+):(\w+)/.exec(path) ?? [];
    const contents = body.contents as Content[];
    check(Array.isArray(contents) && contents.length > 0, 'contents is not specified');
    for (const [index, { role, parts }] of contents.entries()) {
      const next = contents[index + 1]?.parts ?? [];
      const calls = parts.flatMap(({ functionCall }) => functionCall?.name ?? []);
      const results = next.flatMap(({ functionResponse }) => functionResponse?.name ?? []);
      if (role === 'model') requireResults(calls, results);
    }
    const parts = (role: string) =>
      contents.filter((each) => (each.role ?? 'user') === role).flatMap((each) => each.parts);
    const groups = (body.tools ?? []) as Array<{ functionDeclarations?: { name: string }[] }>;
    return {
      model,
      stream: action === 'streamGenerateContent',
      tools: groups.flatMap(({ functionDeclarations = [] }) =>
        functionDeclarations.map(({ name }) => name),
      ),
      prompt: [...((body.systemInstruction as Content | undefined)?.parts ?? []), ...parts('user')]
        .map(textOf)
        .join('\n'),
      results: contents
        .flatMap((each) => each.parts)
        .flatMap(({ functionResponse }) =>
          functionResponse ? [JSON.stringify(functionResponse.response)] : [],
        ),
    };
  },
  write: (reply, { stream }) => {
    const parts =
      'text' in reply
        ? (stream ? piecesOf(reply.text) : [reply.text]).map((text) => ({ text }))
        : [{ functionCall: { name: reply.tool, args: reply.input } }];
    const usageMetadata = { promptTokenCount: 30, candidatesTokenCount: 20, totalTokenCount: 50 };
    const chunks = parts.map((part, index) => {
      const isLast = index === parts.length - 1;
      const content = { role: 'model', parts: [part] };
      const candidate = { index: 0, content, ...(isLast ? { finishReason: 'STOP' } : {}) };
      return { candidates: [candidate], usageMetadata };
    });
    return stream ? events(chunks) : Response.json(chunks[0]);
  },
};
