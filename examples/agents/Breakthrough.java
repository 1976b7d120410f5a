import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Plays random moves in Breakthrough (8x8), as a minimal UGI engine for tournaments of the arena. */
public class Breakthrough {
    private static final String START = "w".repeat(16) + "-".repeat(32) + "b".repeat(16);
    private final Random random = new Random();
    private char[] board = START.toCharArray();
    private char side = 'w';

    /** Returns all moves as text. Square 0 is a1, 8 is a2. */
    private List<String> legal() {
        int step = side == 'w' ? 8 : -8;
        List<String> moves = new ArrayList<>();
        for (int start = 0; start < 64; start++) {
            int ahead = start + step;
            if (board[start] != side || ahead < 0 || ahead >= 64) {
                continue;
            }
            for (int turn = -1; turn <= 1; turn++) {
                int column = start % 8 + turn;
                if (column < 0 || column > 7) {
                    continue;
                }
                char there = board[ahead + turn];
                // Straight ahead only to an empty square; diagonally also to capture.
                if (there == '-' || turn != 0 && there != side) {
                    moves.add(square(start) + "-" + square(ahead + turn));
                }
            }
        }
        return moves;
    }

    private static String square(int number) {
        return "" + (char) ('a' + number % 8) + (number / 8 + 1);
    }

    private static int number(String text) {
        return text.charAt(0) - 'a' + 8 * (text.charAt(1) - '1');
    }

    private void position(String[] words) {
        board = START.toCharArray();
        side = 'w';
        for (int i = 3; i < words.length; i++) {
            // `a2-a3`, or `b4xa3` for a capture.
            int start = number(words[i]);
            int end = number(words[i].substring(3));
            board[end] = board[start];
            board[start] = '-';
            side = side == 'w' ? 'b' : 'w';
        }
    }

    private void serve() throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split("\\s+");
            switch (words[0]) {
                case "ugi" -> System.out.println("ugiok");
                case "isready" -> System.out.println("readyok");
                case "position" -> position(words);
                case "go" -> {
                    List<String> moves = legal();
                    System.out.println("bestmove " + moves.get(random.nextInt(moves.size())));
                }
                case "quit" -> {
                    return;
                }
                default -> { }
            }
            System.out.flush();
        }
    }

    public static void main(String[] arguments) throws IOException {
        new Breakthrough().serve();
    }
}
