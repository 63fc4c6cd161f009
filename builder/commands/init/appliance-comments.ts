/** The comments of the reference appliance, and those that `landfall init` adds, in English and Chinese. */
const comments: ReadonlyArray<readonly [english: string, chinese: string]> = [
  [
    `The reference appliance: what Landfall ships. It names no user, no server and no cloud provider.
\`landfall lock\` freezes it into appliance.lock.yaml; \`landfall build\` makes bundles of the two.`,
    `一个版本的内容，不含用户、服务器和云服务商的信息。\`landfall lock\` 把它锁定在 appliance.lock.yaml 中，
\`landfall build\` 用这两个文件构建发布包。`,
  ],
  ['Local models. Never reachable from outside.', '本地模型，外部始终无法访问。'],
  ['The chat in the browser.', '浏览器里的聊天界面。'],
  [
    'Front-ends for hosted providers. Off until a site turns them on.',
    '云端模型的前端，默认关闭，由站点启用。',
  ],
  [
    'Distributes requests over several servers with Ollama. Off until a site names other servers.',
    '把请求分发到多台运行 Ollama 的服务器。默认关闭，站点列出其他服务器时启用。',
  ],
  [
    "Holds the providers' keys and speaks their API. Assembled: Node, and one layer with our program.",
    '中继：保管模型服务商的密钥并调用其 API。由 Node 镜像加一层程序组成。',
  ],
  ['An HTTP proxy with an allow-list.', '带白名单的 HTTP 代理。'],
  ['TLS. The only component that other machines reach.', 'TLS 网关，其他机器唯一能访问的组件。'],
  ['Certificates.', '证书。'],
  [
    `Inside of a full bundle; with a thin one the server pulls them at its first boot. A server gets the
largest chat model that its memory holds, unless its site names others, and an embedding model, which
makes documents searchable: the last one that fits, or else the first. A GGUF file of your own:
{ name: mine:1b, gguf: <https URL or path> }.`,
    `完整包包含这些模型；使用精简包时，服务器在首次启动时拉取。站点没有指定时，服务器安装内存放得下的最大的
聊天模型，以及一个用于检索文档的嵌入模型：放得下的最后一个，否则为第一个。自己的 GGUF 文件：
{ name: mine:1b, gguf: <https 地址或路径> }。`,
  ],
  ['5.2 GB, for servers with 12 GB of memory', '5.2 GB，用于 12 GB 内存的服务器'],
  ['2.5 GB, for 6 GB; qwen3:4b cannot stop thinking', '2.5 GB，用于 6 GB；qwen3:4b 无法关闭思考'],
  ['1.4 GB, for 4 GB', '1.4 GB，用于 4 GB'],
  ['46 MB', '46 MB，只适合英文'],
  [
    'For documents in Chinese and other languages. 640 MB, for 8 GB and 4 CPUs; other sites name it.',
    '用于检索中文等语言的文档。640 MB，用于 8 GB 和 4 个 CPU；其他站点需要指定它。',
  ],
  [
    'The proxy client that the site requires. Its license is GPL-3.0-or-later.',
    '站点需要的代理客户端，许可证为 GPL-3.0-or-later。',
  ],
];

/** Returns an appliance.yaml of `landfall init` with its comments in Chinese. */
export function withChineseComments(text: string): string {
  const asComment = (lines: string) => lines.replaceAll(/^/gm, '# ');
  return comments.reduce(
    (result, [english, chinese]) => result.replaceAll(asComment(english), () => asComment(chinese)),
    text,
  );
}
