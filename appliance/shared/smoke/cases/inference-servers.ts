import { inLanguage, say } from '#contract/text/language.ts';
import { insideOf, insideOnly, testsOf } from '../smoke-test.ts';

/** The other servers with Ollama, which HAProxy sends requests to. */
export const inferenceServerTests = testsOf('balancer', [
  {
    name: 'inference-servers',
    title: 'each inference server lists its models',
    chinese: '每台推理服务器都能列出模型',
    lookAt: 'sudo landfall engines',
    needsOthers: true,
    notFor: (target) =>
      insideOnly(target) ??
      (target.site.engines?.nodes.length
        ? undefined
        : say('the site lists no inference servers', '站点没有列出推理服务器')),
    run: async (target, note) => {
      const lists = (await insideOf(target).modelsOfNodes?.()) ?? new Map<string, undefined>();
      const nodes = target.site.engines?.nodes ?? [];
      const silent = nodes.filter(({ name }) => lists.get(name) === undefined);
      // A backup may be a PC that is off.
      const backups = silent.filter(({ backup }) => backup);
      if (backups.length > 0)
        note(
          inLanguage({
            en: `backups that do not answer: ${namesOf(backups)}`,
            zh: `没有响应的备用服务器：${namesOf(backups)}`,
          }),
        );
      const others = silent.filter(({ backup }) => !backup);
      if (others.length > 0)
        throw new Error(
          inLanguage({
            en: `no list of models from ${namesOf(others)}`,
            zh: `${namesOf(others)} 没有返回模型列表`,
          }),
        );
    },
  },
]);

function namesOf(nodes: ReadonlyArray<{ readonly name: string }>): string {
  return nodes.map(({ name }) => name).join(', ');
}
