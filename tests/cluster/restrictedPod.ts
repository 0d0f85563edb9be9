interface PodOfTest {
  readonly name: string;
  /** Numeric user id of the process. */
  readonly user: number;
  readonly container: object;
  readonly volumes: readonly object[];
}

/** Returns a pod with one container that runs once and is allowed by the `restricted` standard. */
export const restrictedPod = ({ name, user, container, volumes }: PodOfTest): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    automountServiceAccountToken: false,
    restartPolicy: 'Never',
    securityContext: { runAsNonRoot: true, runAsUser: user, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name,
        imagePullPolicy: 'IfNotPresent',
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        ...container,
      },
    ],
    volumes,
  },
});
