import { toolNames, toolsDirectory, type ToolName } from '@hearth/testkit/run/tools.ts';
import { installTools } from './installTools.ts';
import { recipes } from './recipes.ts';

// npm run tools [-- NAME …]: installs the tools of tests and benchmarks that npm does not provide, or only the named
// ones.
const unknown = process.argv.slice(2).filter((name) => !(toolNames as readonly string[]).includes(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Valid tools: ${toolNames.join(', ')}.`);
  process.exit(2);
}
const wanted = process.argv.slice(2) as ToolName[];
const directory = toolsDirectory(process.env);
const names = wanted.length === 0 ? toolNames : wanted;
const found = await installTools({ directory, recipes, onProgress: console.log }, names);
for (const [name, tool] of found) console.log(`${name.padEnd(17)} ${'path' in tool ? tool.path : tool.missing}`);
if ([...found.values()].some((tool) => 'missing' in tool)) process.exitCode = 1;
