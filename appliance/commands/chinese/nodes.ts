import type { ChineseRows } from '#contract/text/translated.ts';

/** Several servers: HAProxy and the nodes of a Swarm. */
export const nodeRows: ChineseRows = {
  'There are no nodes yet.': '还没有节点。',
  'ports.engine is {} here, and {} on the first server':
    '这里的 ports.engine 是 {1}，第一台服务器上是 {2}',
  'this server is the manager of a Swarm': '这台服务器是另一个 Swarm 的管理节点',
  'this server is in the Swarm of {}': '这台服务器已在 {1} 的 Swarm 中',
  'Docker of this server is the manager of a Swarm at {}':
    '这台服务器的 Docker 是 Swarm（{1}）的管理节点',
  'Docker of this server is in the Swarm of {}': '这台服务器的 Docker 已在 {1} 的 Swarm 中',
  'another server': '另一台服务器',
  'Docker does not manage the Swarm{}': 'Docker 没有管理这个 Swarm{1}',
  'Docker does not manage the Swarm: {}': 'Docker 没有管理这个 Swarm：{1}',
  'Docker did not join the Swarm': 'Docker 没有加入 Swarm',
  'Docker returned an unexpected response': 'Docker 返回了意外的响应',
  'there are {} nodes, which is the limit': '已有 {1} 个节点，达到上限',
  'Ollama of this release does not fit into a Swarm': '这个版本的 Ollama 无法放入 Swarm',
  'Report this bug: the settings have no counterpart in a Swarm.':
    '请报告这个缺陷：这些设置在 Swarm 中没有对应的设置。',
  '{} has no counterpart in a Swarm': '{1} 在 Swarm 中没有对应的设置',
  'the release has no image of Ollama': '版本中没有 Ollama 的镜像',
  'Build it again with `landfall build`.': '用 `landfall build` 重新构建。',

  'this is a token of Docker Swarm, not of Landfall': '这是 Docker Swarm 的令牌，不是 Landfall 的',
  'this is not the token of a node': '这不是节点的令牌',
  'the token is of another version of Landfall': '令牌属于另一个版本的 Landfall',
  'the token is incomplete, or has a typing error': '令牌不完整，或输入有误',
  'the token is not valid': '令牌无效',
  'Copy the whole line that `sudo landfall node token <name>` prints on the first server.':
    '复制第一台服务器上 `sudo landfall node token <名称>` 输出的整行。',
  'the token ended at {} UTC': '令牌已于 {1} UTC 失效',

  '{} returned the status {}': '{1} 返回状态 {2}',
  'HAProxy does not find {}: {}': 'HAProxy 找不到 {1}：{2}',
  'no server has the name {}': '没有名为 {1} 的服务器',
  'HAProxy does not respond': 'HAProxy 没有响应',
  'HAProxy printed no table of its servers': 'HAProxy 没有列出服务器',
  'Docker Swarm does not reach it': 'Docker Swarm 无法连接它',
  'it is drained; to use it again: sudo landfall node resume {}':
    '已停止分配；要恢复使用：sudo landfall node resume {1}',
  'its Ollama is {}': '它的 Ollama 状态是 {1}',
  'its Ollama is {}: {}': '它的 Ollama 状态是 {1}：{2}',
  'it has no Ollama yet': '它还没有 Ollama',
  'the model {} is missing': '缺少模型 {1}',
  'the model {} has another digest than on this server': '模型 {1} 的摘要与这台服务器上的不同',
  'its response is not one of Ollama': '响应不是来自 Ollama',
};
