// Stands for the original's simulator in front of an exported creature: the part of its interface
// that the documentation of Darwin 2.2 promises and a creature uses. Situations are lines, as the
// programs of other languages read them; the actions are printed.

import java.awt.Dimension;
import java.awt.Point;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class Original {
    static final BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    static long[] now; // null between two creatures and at the end
    static boolean over;

    /** next reads the next situation. */
    static void next() {
        try {
            String line = input.readLine();
            over = line == null;
            now = over || line.isEmpty() ? null
                    : java.util.Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
        } catch (IOException e) {
            throw new RuntimeException(e);
        }
    }

    /** act prints an action and waits for the creature's next turn, if it has one. */
    static void act(int action) {
        System.out.println(action);
        next();
        if (now == null) throw new ConvertedError();
    }

    public static void main(String[] args) throws Exception {
        for (next(); !over; ) {
            if (now == null) {
                next();
            } else {
                ((Creature) Class.forName(args[0]).getDeclaredConstructor().newInstance()).run();
            }
        }
    }
}

class ConvertedError extends Error {}

enum Type { EMPTY, CREATURE, WALL, HAZARD }

enum Direction {
    NORTH, WEST, SOUTH, EAST;

    public int toInt() { return ordinal(); }
}

final class Observation {
    public Type type;
    public int classId, id, shrineClassId;
    public Direction direction;
    public Point position;
    public boolean inMud;
}

interface Entity {}

abstract class Creature implements Entity, Runnable {
    static final public int UNINITIALIZED_CLASS_ID = 0;

    abstract public void run();
    abstract public String getAuthorName();
    abstract public String getDescription();

    final public int getClassId() { return (int) Original.now[7]; }
    final public long getGameTime() { return Original.now[1]; }
    final public long getMyTimeSinceSpawn() { return Original.now[0]; }
    final public Direction getDirection() { return Direction.values()[(int) Original.now[6]]; }

    final public Point getPosition() {
        return new Point((int) Original.now[4], (int) Original.now[5]);
    }

    public Dimension getMapDimensions() {
        return new Dimension((int) Original.now[2], (int) Original.now[3]);
    }

    protected boolean isEnchanted() { return Original.now[8] == 1; }
    protected boolean inMud() { return Original.now[10] == 1; }
    protected int shrineClassId() { return shrine(Original.now[11]); }

    private int shrine(long own) { return own == 1 ? getClassId() : UNINITIALIZED_CLASS_ID; }

    protected int distance(Point p) {
        return Math.abs(getPosition().x - p.x) + Math.abs(getPosition().y - p.y);
    }

    protected boolean moveForward() { return tried(1); }
    protected boolean moveBackward() { return tried(2); }
    protected boolean attack() { return tried(5); }

    private boolean tried(int action) {
        Original.act(action);
        return Original.now[9] == 1;
    }

    protected void turnLeft() { Original.act(3); }
    protected void turnRight() { Original.act(4); }
    protected void delay() { Original.act(7); }

    /** Some methods of other meanings, whose names a creature must not use. */
    protected Observation look() { return observe()[0]; }
    protected void delay(int n) {}
    public void onDeath() {}

    /** observe returns the last square first, and the others in an order that is not promised. */
    protected Observation[] observe() {
        Original.act(6);
        long[] now = Original.now;
        int n = (now.length - 16) / 3;
        int[] stepX = {0, -1, 0, 1}, stepY = {-1, 0, 1, 0};
        Observation[] all = new Observation[n];
        for (int i = 0; i < n; i++) {
            Observation o = new Observation();
            all[i == n - 1 ? 0 : 1 + (i + n / 2) % (n - 1)] = o;
            int facing = (int) now[6];
            o.position = new Point((int) now[4] + i * stepX[facing],
                    (int) now[5] + i * stepY[facing]);
            o.type = new Type[] {Type.EMPTY, Type.WALL, Type.HAZARD}[(int) now[16 + 3 * i]];
            o.inMud = now[17 + 3 * i] == 1;
            o.shrineClassId = shrine(now[18 + 3 * i]);
            if (i == n - 1) {
                o.type = new Type[] {Type.EMPTY, Type.WALL, Type.HAZARD, Type.CREATURE}[(int) now[12]];
                o.classId = (int) now[13];
                o.id = (int) now[14];
                o.direction = o.type == Type.CREATURE ? Direction.values()[(int) now[15]] : null;
            }
        }
        return all;
    }
}
