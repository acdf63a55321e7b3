import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const DEPLOY = join(import.meta.dirname, "../../deploy");
const read = (file: string) => readFileSync(join(DEPLOY, file), "utf8");
const find = (pattern: RegExp, ...files: string[]) =>
  files.flatMap((file) => [...read(file).matchAll(pattern)].map(([, found = ""]) => found));

const COMPOSE = ["compose.yaml", "compose.three.yaml"];

test("the files, variables and ports of the containers are those of the files beside them", () => {
  const [main, three] = COMPOSE.map(read);
  const mounted = find(/- \.\/(\S+?):/g, ...COMPOSE);
  const built = find(/dockerfile: (?:deploy\/)?(\S+)/g, ...COMPOSE);
  const copied = find(/^COPY (.+) \/usr\/local\/bin\/$/gm, "Containerfile.postgres").flatMap((files) =>
    files.split(" "),
  );
  expect([mounted.length, built.length, copied.length]).toEqual([2, 2, 2]);
  expect([...mounted, ...built, ...copied].filter((file) => !existsSync(join(DEPLOY, file)))).toEqual([]);

  const documented = `${read("../.env.example")}\n${read("Caddyfile")}\n${main}`;
  const set = find(/^ +([A-Z][A-Z_]+): /gm, ...COMPOSE).map((name) => name.replace(/_FILE$/, ""));
  expect(set).toContain("DATABASE_STANDBYS");
  expect(set.filter((name) => !name.startsWith("POSTGRES_") && !documented.includes(name))).toEqual([]);

  const operations = read("../docs/operations.md");
  for (const file of find(/file: \.\/(secrets\/\S+)/g, "compose.yaml"))
    expect(operations).toContain(`> ${file}`);

  const [port, rest] = find(/(?:port|rest)=\$\{\w+:-(\d+)\}/g, "patroni-node");
  const nodes = find(/^ {2}(node\d):$/gm, "compose.three.yaml").filter(
    (name, at, all) => all.indexOf(name) === at,
  );
  expect(find(/^ {2}(server .+)$/gm, "haproxy.cfg")).toEqual(
    nodes.map((node) => `server ${node} ${node}:${port} check port ${rest}`),
  );
  expect(find(/@database:(\d+)\//g, "compose.yaml", "../docs/operations.md")).toEqual(
    Array.from({ length: 2 }, () => find(/bind :(\d+)/g, "haproxy.cfg")[0]),
  );
  const [etcd] = find(/etcd=\$\{ETCD:-(\S+?)\}/g, "patroni-node");
  expect(three).toContain(`--advertise-client-urls http://${etcd}`);
});

test("UO-16 a product that is killed, as by its watchdog, is started again by the unit and by the containers", () => {
  expect(find(/^(Restart=.+)$/gm, "dockside.service")).toEqual(["Restart=on-failure"]);
  const [, shared = ""] = /^x-product: &product\n((?: .*\n)+)/m.exec(read("compose.yaml")) ?? [];
  expect(shared).toContain("  restart: unless-stopped\n");
});
